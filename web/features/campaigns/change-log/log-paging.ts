/** State of Back and Next (campaign.md §9): both disabled while loading and when everything fits on one page. */
export function logPaging(input: { page: number; rows: number; total: number; loading: boolean }) {
  const off = input.loading || input.total < input.rows
  return { backDisabled: off || input.page === 0, nextDisabled: off || (input.page + 1) * input.rows >= input.total }
}
