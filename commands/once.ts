/** Runs a keyed command once; a repeat gets the stored answer; another body under the same key is refused with 141. */
export type Once = (
  entry: { readonly user: string; readonly route: string; readonly key: string; readonly bodyHash: string },
  run: () => Promise<unknown>,
) => Promise<unknown>
