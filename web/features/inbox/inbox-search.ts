export type InboxSearch = { readonly id?: string | undefined; readonly page?: number | undefined }

/** `?id=` is the user whose conversation is open. */
export function inboxSearch({ id, page }: Record<string, unknown>): InboxSearch {
  const number = Number(page)
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(Number.isInteger(number) && number > 0 && number <= 100_000 ? { page: number } : {}),
  }
}
