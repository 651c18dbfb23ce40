import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from '../../../../../../api/contract/zod.ts'
import { campaignWhitelists } from '../../../../../../api/contract/whitelists.ts'
import { call, download } from '@/data/client'
import { saveFile } from '@/lib/save-file'
import { campaignQueries } from '@/data/campaign-queries'

export type Whitelist = z.output<typeof campaignWhitelists.list.output>[number]

export const whitelistQueries = {
  /** Part of the campaign: whatever makes its details out of date does so to its lists. */
  list: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.detail(id).queryKey, 'whitelists'],
      queryFn: ({ signal }) => call(campaignWhitelists.list, { params: { campaignId: id }, signal }),
    }),
}

/**
 * After an upload or a removal. The campaign itself knows whether it has any list, so it may have a new revision, and the next save
 * has to name that one. Never fails: what could not be read now is read when it is shown again.
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
  /** To a file of the reader's own, as it was uploaded. */
  download: (id: string) =>
    mutationOptions({
      mutationFn: async (name: string) => {
        const sent = await download(campaignWhitelists.download, { params: { campaignId: id, name } })
        saveFile(new Blob([bytesOf(await sent.text())], { type: 'text/csv' }), fileNameOf(name))
      },
    }),
}

/** Base64 is how it comes (campaign.md §7). */
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const fileNameOf = (name: string) => (/\.(csv|txt)$/i.test(name) ? name : `${name}.csv`)

/** A list is called as its file, without what the file is; a number tells those of the same name apart. */
export function nameOf(file: string, taken: readonly Whitelist[]): string {
  const stem = file.replace(/\.[^.]*$/, '').trim()
  // What is left of `.csv` or `..csv` names nothing, and as a part of an address leads somewhere else.
  const name = /^\.*$/.test(stem) ? file : stem
  const isFree = (wanted: string) => taken.every((known) => known.name !== wanted)
  for (let number = 2, wanted = name; ; wanted = `${name} ${number++}`) if (isFree(wanted)) return wanted
}
