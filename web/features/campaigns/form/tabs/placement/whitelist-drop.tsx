import { useQueryClient } from '@tanstack/react-query'
import { Upload as UploadIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { campaignWhitelists } from '#contract/whitelists'
import { WHITELIST_BYTES, WHITELIST_COUNT } from '#domain/campaign/content/whitelist-rules'
import { Upload, useUploadRows } from '@/components/upload/upload'
import { upload } from '@/data/upload'
import { toast } from '@/lib/toast'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { Unusable, useUploadReason } from '@/features/campaigns/form/creatives/use-upload-reason'
import { nameOf, refreshWhitelists, whitelistQueries, type Whitelist } from './whitelist-queries.ts'

const ACCEPTED = ['text/csv', 'text/plain', '.csv', '.txt']

type WhitelistDropProps = { readonly id: string; readonly lists: readonly Whitelist[] }

/** The whitelist upload area, shown until the campaign has the maximum number of lists. */
export function WhitelistDrop({ id, lists }: WhitelistDropProps) {
  const { t } = useTranslation(['placement', 'creatives'])
  const { uploads } = useFormBase()
  const rows = useUploadRows(uploads, 'whitelists')
  const client = useQueryClient()
  const keptFocus = useKeptFocus<HTMLFieldSetElement>()
  const explain = useUploadReason(t('whitelists.failed'))
  const label = t('whitelists.upload')
  const max = { max: WHITELIST_COUNT }
  const full = lists.length >= WHITELIST_COUNT
  /** An upload ends once the form knows the new revision, so that a save waits for that too. */
  const send = async (file: File, onProgress: (fraction: number) => void, signal: AbortSignal) => {
    if (file.size >= WHITELIST_BYTES) throw new Unusable('faults:whitelistBytes')
    // Read for each file: earlier uploads are in the list by now.
    const known = client.getQueryData(whitelistQueries.list(id).queryKey) ?? []
    if (known.length >= WHITELIST_COUNT) throw new Unusable(`placement:whitelists.full?max=${WHITELIST_COUNT}`)
    const name = nameOf(file.name, known)
    try {
      await upload(campaignWhitelists.upload, { params: { campaignId: id }, fields: { name }, file, onProgress, signal })
    } finally {
      // Refresh after failures and aborts too: a concurrent upload may be the cause, or the file may already be stored.
      await refreshWhitelists(client, id)
    }
    toast.success(t('whitelists.added', { name }))
    return null
  }
  return (
    <fieldset {...keptFocus} tabIndex={-1} aria-label={label} className="flex flex-col gap-2">
      <Upload
        uploads={uploads}
        slot="whitelists"
        rows={rows}
        label={label}
        accept={ACCEPTED}
        multiple
        // Each file is named and counted after the lists that are there by then.
        atOnce={1}
        disabled={full}
        send={send}
        explain={explain}
      >
        <UploadIcon aria-hidden className="text-muted-foreground size-5 stroke-[1.5]" />
        <span className="font-medium">{full ? t('whitelists.full', max) : t('creatives:choose')}</span>
        <span className="text-muted-foreground text-xs max-w-[60ch] text-balance">{t('whitelists.limits', max)}</span>
      </Upload>
    </fieldset>
  )
}
