export declare function anchorOf(heading: string): string
export declare function addressOn(page: string, href: string): string | null
export declare function darkPicture(source: string): string | null
