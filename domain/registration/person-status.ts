/** `status_key` of people (platform.md §3). Of staff and invited people too: `approved` until they come in. */
export const PERSON_STATUS = { unverified: 1, approved: 2, rejected: 3, active: 5 } as const
