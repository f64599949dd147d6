// SPDX-License-Identifier: BSD-3-Clause
// export.ts: a drawing of the page as a file: SVG as it looks now, or PNG at twice the size. What the
// page has as a table or a list is drawn as it stands there.

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

const NAMESPACE = "http://www.w3.org/2000/svg";

function element(name: string, attributes: Record<string, string | number>): SVGElement {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    return made;
}

interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

interface Copy {
    svg: SVGElement;
    box: Box;
}

// The styles of the page do not go with the file, so each element takes its own along.
function styledCopy(drawing: SVGSVGElement): Copy {
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    const from = [drawing, ...drawing.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
        const style = getComputedStyle(element);
        const text = STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
        to[i]?.setAttribute("style", text);
        for (const name of ["class", "tabindex"]) to[i]?.removeAttribute(name);
    });
    return { svg: copy, box: drawing.viewBox.baseVal };
}

// Where the browser has laid out a part of `whole`, which begins at 0, 0.
function placeIn(whole: DOMRect, part: Element | Range): Box {
    const { left, top, width, height } = part.getBoundingClientRect();
    return { x: left - whole.left, y: top - whole.top, width, height };
}

function textOf(node: Text, whole: DOMRect): SVGElement | null {
    const text = (node.textContent ?? "").trim();
    if (text === "" || !node.parentElement) return null;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, height } = placeIn(whole, range);
    const style = getComputedStyle(node.parentElement);
    const made = element("text", {
        ...{ x, y: y + height / 2, "dominant-baseline": "central", fill: style.color },
        "font-family": style.fontFamily,
        "font-size": style.fontSize,
        "font-weight": style.fontWeight,
    });
    made.textContent = text;
    return made;
}

// Its ground and the line below it, where it has them.
function groundOf(part: HTMLElement, whole: DOMRect): SVGElement[] {
    const style = getComputedStyle(part);
    const box = placeIn(whole, part);
    const made: SVGElement[] = [];
    if (!/^(transparent|rgba\(.*, 0\)|)$/.test(style.backgroundColor))
        made.push(element("rect", { ...box, fill: style.backgroundColor }));
    const thick = parseFloat(style.borderBottomWidth) || 0;
    if (thick > 0)
        made.push(
            element("rect", {
                ...box,
                y: box.y + box.height - thick,
                height: thick,
                fill: style.borderBottomColor,
            }),
        );
    return made;
}

// Elements that are no drawing, as one: grounds, lines and texts where they stand.
function drawnCopy(from: HTMLElement): Copy {
    const whole = from.getBoundingClientRect();
    const svg = element("svg", { viewBox: `0 0 ${whole.width} ${whole.height}` });
    const walk = document.createTreeWalker(from, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (node instanceof HTMLElement) svg.append(...groundOf(node, whole));
        const text = node instanceof Text ? textOf(node, whole) : null;
        if (text) svg.append(text);
    }
    return { svg, box: { x: 0, y: 0, width: whole.width, height: whole.height } };
}

export interface Drawn {
    text: string; // of the SVG file
    width: number;
    height: number;
}

export function drawn(from: SVGSVGElement | HTMLElement): Drawn {
    const { svg, box } = from instanceof HTMLElement ? drawnCopy(from) : styledCopy(from);
    const { x, y, width, height } = box;
    svg.setAttribute("xmlns", NAMESPACE);
    svg.setAttribute("width", String(width));
    svg.setAttribute("height", String(height));
    const fill = getComputedStyle(document.body).backgroundColor;
    svg.prepend(element("rect", { x, y, width, height, fill }));
    return { text: new XMLSerializer().serializeToString(svg), width, height };
}

export function save(name: string, blob: Blob): void {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(blob);
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

export function saveSvg(from: SVGSVGElement | HTMLElement, name: string): void {
    save(`${name}.svg`, new Blob([drawn(from).text], { type: "image/svg+xml" }));
}

export async function savePng(from: SVGSVGElement | HTMLElement, name: string): Promise<void> {
    const { text, width, height } = drawn(from);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob) save(`${name}.png`, blob);
}

export function saveText(text: string, name: string): void {
    save(name, new Blob([text], { type: "text/plain" }));
}
