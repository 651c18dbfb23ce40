import { useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { campaignWhitelists } from '../../../../../../api/contract/whitelists.ts'
import { WHITELIST_BYTES, WHITELIST_COUNT } from '../../../../../../domain/campaign/content/whitelist-rules.ts'
import { upload } from '@/data/upload'
import { toast } from '@/lib/toast'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { UploadArea, UploadProblem } from '@/features/campaigns/form/creatives/upload-state'
import { Unusable, useUploadReason } from '@/features/campaigns/form/creatives/use-upload-reason'
import { nameOf, refreshWhitelists, whitelistQueries, type Whitelist } from './whitelist-queries.ts'

const ACCEPTED = ['text/csv', 'text/plain', '.csv', '.txt']

type WhitelistDropProps = { readonly id: string; readonly lists: readonly Whitelist[] }

/** The whitelist upload area, shown until the campaign has the maximum number of lists. */
export function WhitelistDrop({ id, lists }: WhitelistDropProps) {
  const { t } = useTranslation(['placement', 'creatives'])
  const keptFocus = useKeptFocus<HTMLFieldSetElement>()
  const { progress, problem, send, stop } = useWhitelistUpload(id)
  const label = t('whitelists.upload')
  const max = { max: WHITELIST_COUNT }
  const full = lists.length >= WHITELIST_COUNT
  return (
    <fieldset {...keptFocus} tabIndex={-1} aria-label={label} className="flex flex-col gap-2">
      <UploadArea accept={ACCEPTED} label={label} disabled={full} progress={progress} several onFiles={send} onStop={stop}>
        <Upload aria-hidden className="text-muted-foreground size-5 stroke-[1.5]" />
        <span className="font-medium">{full ? t('whitelists.full', max) : t('creatives:choose')}</span>
        <span className="text-muted-foreground text-xs max-w-[60ch] text-balance">{t('whitelists.limits', max)}</span>
      </UploadArea>
      <UploadProblem problem={problem} />
    </fieldset>
  )
}

const SLOT = 'whitelists'

/** Uploads files sequentially. An upload ends once the form knows the new revision, so that a save waits for that too. */
function useWhitelistUpload(id: string) {
  const { t } = useTranslation('placement')
  const { uploads } = useFormBase()
  const client = useQueryClient()
  const explain = useUploadReason(t('whitelists.failed'))
  const { progress, problem } = useSyncExternalStore(uploads.subscribe, () => uploads.stateOf(SLOT))
  const send = (files: readonly File[]) =>
    void uploads.run(
      SLOT,
      files.map((file) => ({
        name: file.name,
        explain,
        send: async (onProgress, signal) => {
          if (file.size >= WHITELIST_BYTES) throw new Unusable('faults:whitelistBytes')
          // Read for each file: earlier uploads are in the list by now.
          const lists = client.getQueryData(whitelistQueries.list(id).queryKey) ?? []
          if (lists.length >= WHITELIST_COUNT) throw new Unusable(`placement:whitelists.full?max=${WHITELIST_COUNT}`)
          const name = nameOf(file.name, lists)
          const params = { campaignId: id }
          try {
            await upload(campaignWhitelists.upload, { params, fields: { name }, file, onProgress, signal })
          } finally {
            // Refresh after failures and aborts too: a concurrent upload may be the cause, or the file may already be stored.
            await refreshWhitelists(client, id)
          }
          toast.success(t('whitelists.added', { name }))
          return null
        },
      })),
    )
  return { progress, problem, send, stop: () => uploads.stop(SLOT) }
}
