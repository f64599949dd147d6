// SPDX-License-Identifier: BSD-3-Clause
// export.ts: a drawing of the page as a file: SVG as it looks now, or PNG at twice the size.

const STYLES = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-opacity",
    "opacity",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "dominant-baseline",
];

// The styles of the page do not go with the file, so each element takes its own along.
export function svgText(drawing: SVGSVGElement): string {
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    const from = [drawing, ...drawing.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
        const style = getComputedStyle(element);
        const text = STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
        to[i]?.setAttribute("style", text);
        for (const name of ["class", "tabindex"]) to[i]?.removeAttribute(name);
    });
    const box = drawing.viewBox.baseVal;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(box.width));
    copy.setAttribute("height", String(box.height));
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    paper.setAttribute("x", String(box.x));
    paper.setAttribute("y", String(box.y));
    paper.setAttribute("width", String(box.width));
    paper.setAttribute("height", String(box.height));
    paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
    copy.prepend(paper);
    return new XMLSerializer().serializeToString(copy);
}

export function save(name: string, blob: Blob): void {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(blob);
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

export function saveSvg(drawing: SVGSVGElement, name: string): void {
    save(`${name}.svg`, new Blob([svgText(drawing)], { type: "image/svg+xml" }));
}

export async function savePng(drawing: SVGSVGElement, name: string): Promise<void> {
    const box = drawing.viewBox.baseVal;
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawing))}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * box.width;
    canvas.height = 2 * box.height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob) save(`${name}.png`, blob);
}

export function saveText(text: string, name: string): void {
    save(name, new Blob([text], { type: "text/plain" }));
}
