/** Labels of the fields of this tab, by their first segment within the slice. */
export const useGeographyLabels = (): Readonly<Record<string, string>> => ({})
