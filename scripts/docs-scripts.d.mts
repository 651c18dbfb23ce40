export declare function withoutInlineScripts(
  html: string,
  base: string,
): { readonly page: string; readonly files: ReadonlyMap<string, string> }
