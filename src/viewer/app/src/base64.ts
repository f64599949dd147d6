// SPDX-License-Identifier: BSD-3-Clause
// base64.ts: bytes that a page carries as text.

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}
