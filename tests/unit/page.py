# SPDX-License-Identifier: BSD-3-Clause
# page.py FILE [SECTION...]: whether a page of `shunt report` is well-formed, has these sections, needs nothing but
# itself, and can be read without seeing it. Prints what is wrong; the exit status is 1 then.
import sys
import xml.etree.ElementTree as tree

X = "{http://www.w3.org/1999/xhtml}"
S = "{http://www.w3.org/2000/svg}"
NAMES = {X[1:-1], S[1:-1]}
problems = []


def wrong(text):
    problems.append(text)


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
if not text.startswith("<!DOCTYPE html>\n"):
    wrong("it does not begin as a page")
root = tree.fromstring(text)
page = list(root.iter())
ids = [element.get("id") for element in page if element.get("id")]
for name in sys.argv[2:]:
    if name not in ids:
        wrong(f"there is no section {name}")
if len(ids) != len(set(ids)):
    wrong("an identifier comes twice")
for element in page:
    for key in ("aria-labelledby", "aria-describedby"):
        for name in (element.get(key) or "").split():
            if name not in ids:
                wrong(f"{key}: there is no {name}")
    if element.tag in (X + "script", X + "link", X + "img", X + "iframe", S + "image"):
        wrong(f"it has a {element.tag}")
    for key, value in element.attrib.items():
        if key.endswith(("href", "src")) and not (value.startswith("#") and value[1:] in ids):
            wrong(f"{key} leads to {value}")
        if key.startswith("on") or "url(" in value or "javascript:" in value:
            wrong(f"{key}: {value}")
style = "".join(element.text for element in root.iter(X + "style"))
for word in ("url(", "@import", "http"):
    if word in style:
        wrong(f"the style has {word}")
if "prefers-color-scheme: dark" not in style or "max-width: 520px" not in style:
    wrong("the style does not know dark or small screens")
if root.get("lang") is None or root.find(f"{X}head/{X}title") is None:
    wrong("language or title are missing")
if root.find(f"{X}head/{X}meta[@name='viewport']") is None:
    wrong("the width of the screen is not asked for")
for table in root.iter(X + "table"):
    heads = table.findall(f"{X}thead/{X}tr/{X}th[@scope='col']")
    if table.find(X + "caption") is None or not heads:
        wrong("a table lacks its caption or headings")
    for line in table.findall(f"{X}tbody/{X}tr"):
        if len(line) != len(heads) or line[0].get("scope") != "row":
            wrong("a line of a table is not as its headings")
drawings = list(root.iter(S + "svg"))
for drawing in drawings:
    if drawing.get("role") != "img" or drawing.find(S + "title") is None or drawing.find(S + "desc") is None:
        wrong("a drawing has no title or description")
    width, height = map(float, drawing.get("viewBox").split()[2:])
    for box in drawing.iter(S + "rect"):
        x, y, w, h = (float(box.get(key)) for key in ("x", "y", "width", "height"))
        if not (w >= 0 and h >= 0 and -0.1 <= x <= x + w <= width + 0.1 and -0.1 <= y <= y + h <= height + 0.1):
            wrong(f"a box is outside its drawing: {box.attrib}")
for word in ("nan", "inf"):
    if any(word in (value or "").lower() for element in root.iter() if element.tag.startswith(S)
           for key, value in element.attrib.items() if key in ("x", "y", "width", "height", "points", "r")):
        wrong(f"a drawing has {word}")
for problem in problems[:20]:
    print(problem)
print(len(drawings), "drawings")
sys.exit(1 if problems else 0)
