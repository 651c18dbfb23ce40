import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import { uploadImage, type storedFile } from '#contract/files'
import {
  createWhiteLabel,
  previewInvoice,
  previewMail,
  readWhiteLabel,
  restoreWhiteLabel,
  saveWhiteLabel,
  suspendWhiteLabel,
} from '#contract/white-label'
import type { z } from '#contract/zod'
import { call, download } from '@/data/client'
import { upload } from '@/data/upload'
import { whiteLabelQueries } from '@/data/white-label-queries'
import { sessionQueries } from '@/session/session-queries'

export type Changes = z.input<typeof saveWhiteLabel.input>
export type PreviewedMail = z.input<typeof previewMail.input>['template']
export type StoredLogo = z.output<typeof storedFile>

const { all } = whiteLabelQueries
/** The page shows the new branding at once, when it is that of its host. */
const invalidates = [all, sessionQueries.whitelabel().queryKey]

export const customizationQueries = {
  one: (id: string) =>
    queryOptions({
      queryKey: [...all, id],
      queryFn: ({ signal }) => call(readWhiteLabel, { params: { id }, signal }),
      // Typed values must not be replaced while the form is open.
      staleTime: Infinity,
      refetchOnReconnect: false,
    }),
  invoice: (id: string, body: z.input<typeof previewInvoice.input>) =>
    queryOptions({
      queryKey: [...all, id, 'invoice', body],
      queryFn: ({ signal }) => download(previewInvoice, { params: { id }, body, signal }),
      placeholderData: keepPreviousData,
      // One for every pause in typing.
      gcTime: 0,
    }),
  mail: (id: string, body: z.input<typeof previewMail.input>) =>
    queryOptions({
      queryKey: [...all, id, 'mail', body],
      queryFn: ({ signal }) => call(previewMail, { params: { id }, body, signal }),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),
  list: whiteLabelQueries.list,
}

export const customizationMutations = {
  save: (id: string) =>
    mutationOptions({
      meta: { invalidates, silent: true },
      mutationFn: (body: Changes) => call(saveWhiteLabel, { params: { id }, body }),
    }),
  create: () =>
    mutationOptions({
      meta: { invalidates, silent: true },
      mutationFn: (body: z.input<typeof createWhiteLabel.input>) => call(createWhiteLabel, { body }),
    }),
  suspend: (id: string) =>
    mutationOptions({
      meta: { invalidates },
      mutationFn: () => call(suspendWhiteLabel, { params: { id }, body: {} }),
    }),
  restore: (id: string) =>
    mutationOptions({ meta: { invalidates }, mutationFn: () => call(restoreWhiteLabel, { params: { id } }) }),
}

export const sendLogo = (file: File, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<StoredLogo> =>
  upload(uploadImage, { query: {}, file, onProgress, signal })
