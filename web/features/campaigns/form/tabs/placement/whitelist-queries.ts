import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from '#contract/zod'
import { campaignWhitelists } from '#contract/whitelists'
import { call, download } from '@/data/client'
import { saveFile } from '@/lib/save-file'
import { campaignQueries } from '@/data/campaign-queries'

export type Whitelist = z.output<typeof campaignWhitelists.list.output>[number]

export const whitelistQueries = {
  /** Nested under the campaign's key: invalidating its details invalidates its lists. */
  list: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.detail(id).queryKey, 'whitelists'],
      queryFn: ({ signal }) => call(campaignWhitelists.list, { params: { campaignId: id }, signal }),
    }),
}

/**
 * Refetches after an upload or a removal. Either may create a new campaign revision, because the campaign records whether it has
 * lists, and the next save must name that revision. Never fails: data that cannot be read now is refetched when it is shown.
 */
export async function refreshWhitelists(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: campaignQueries.logs() })
  await Promise.all([
    client.invalidateQueries({ queryKey: whitelistQueries.list(id).queryKey }),
    client.invalidateQueries({ queryKey: campaignQueries.detail(id).queryKey, exact: true }),
  ])
}

export const whitelistMutations = {
  remove: (id: string) =>
    mutationOptions({
      mutationFn: (name: string) => call(campaignWhitelists.remove, { params: { campaignId: id, name } }),
    }),
  /** Downloads the list as it was uploaded. */
  download: (id: string) =>
    mutationOptions({
      mutationFn: async (name: string) => {
        const sent = await download(campaignWhitelists.download, { params: { campaignId: id, name } })
        saveFile(new Blob([bytesOf(await sent.text())], { type: 'text/csv' }), fileNameOf(name))
      },
    }),
}

/** The file arrives as Base64 (campaigns.md §7). */
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const fileNameOf = (name: string) => (/\.(csv|txt)$/i.test(name) ? name : `${name}.csv`)

/** Returns the list's name: the file name without its extension, numbered when the name is taken. */
export function nameOf(file: string, taken: readonly Whitelist[]): string {
  const stem = file.replace(/\.[^.]*$/, '').trim()
  // A stem left of `.csv` or `..csv` is no name, and as a URL segment it would lead elsewhere.
  const name = /^\.*$/.test(stem) ? file : stem
  const isFree = (wanted: string) => taken.every((known) => known.name !== wanted)
  for (let number = 2, wanted = name; ; wanted = `${name} ${number++}`) if (isFree(wanted)) return wanted
}
