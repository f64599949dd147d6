// SPDX-License-Identifier: BSD-3-Clause
// saving.ts: whether a panel's drawing is about to be saved. Then all of it has to be elements, and it
// has its own legend, for the page's does not go with the file.
import type { InjectionKey, Ref } from "vue";

export const SAVING: InjectionKey<Ref<boolean>> = Symbol("saving");
