import { CONTENT_SIZE } from '#domain/campaign/content/whole'

/** Version of a read model whose rows hold the content of campaigns: a new field raises it, so that every row gets the field. */
export const withContent = (version: number): number => version * 10_000 + CONTENT_SIZE
