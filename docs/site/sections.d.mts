type Section = { readonly text: string; readonly items: readonly { readonly text: string; readonly link: string }[] }
export declare const GUIDES: readonly string[]
export declare function sections(titleOf: (link: string) => string): readonly Section[]
export declare function russianSections(titleOf: (link: string) => string): readonly Section[]
