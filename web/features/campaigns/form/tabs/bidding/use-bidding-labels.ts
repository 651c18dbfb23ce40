/** Labels of the fields of this tab, by their first segment within the slice. */
export const useBiddingLabels = (): Readonly<Record<string, string>> => ({})
