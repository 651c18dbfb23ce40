export declare function anchorOf(heading: string): string
export declare function addressOn(page: string, href: string): string | null
export declare function ownId(heading: string): { readonly text: string; readonly id: string } | null
export declare function darkPicture(source: string): string | null
