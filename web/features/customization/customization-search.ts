export type CustomizationSearch = { readonly id?: string | undefined }

/** `?id=` names the white-label that a system administrator customises; without it, the user's own. */
export function customizationSearch(search: Record<string, unknown>): CustomizationSearch {
  const { id } = search
  return typeof id === 'string' && id !== '' ? { id } : {}
}
