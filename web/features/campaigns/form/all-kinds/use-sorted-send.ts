import { useTranslation } from 'react-i18next'
import { upload } from '@/data/upload'
import { isActive } from '@/components/upload/uploads'
import { useUploadRows } from '@/components/upload/upload'
import { useKnownKind } from '@/features/campaigns/creatives/banner-kind'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { contentsOf } from '@/features/campaigns/form/creatives/known-contents'
import { PLACE, placeFile, type PlaceKey } from '@/features/campaigns/form/creatives/places'
import { Unusable, useUploadReason } from '@/features/campaigns/form/creatives/use-upload-reason'
import type { Dropped } from './candidates.ts'
import { FULL } from './sort-files.ts'

export const SLOT = 'all kinds'
const AT_ONCE = 3

type Added = { readonly place: PlaceKey; readonly fileId: string }
/** Files of the last drop, by the form's uploads: other tabs may be shown while they arrive. */
const added = new WeakMap<object, readonly Added[]>()

/** Sends sorted files to their places, and takes all of them out again. */
export function useSortedSend() {
  const { t } = useTranslation('creatives')
  const form = useCampaignForm()
  const { campaign, uploads } = useFormBase()
  const explain = useUploadReason(t('sort.failed'))
  const knowKind = useKnownKind()
  const rows = useUploadRows(uploads, SLOT)
  const known = contentsOf(uploads)

  const transferOf = ({ file, found, candidate: { content } }: Dropped, key: PlaceKey) => ({
    file,
    explain,
    async send(onProgress: (fraction: number) => void, signal: AbortSignal) {
      const { endpoint, size } = PLACE[key]
      const wanted = key === 'banner' ? found.banner : key === 'responsiveImage' ? null : size
      const space = campaign === null ? {} : { space_id: campaign.space_id }
      if (content !== null) known.set(content, null)
      try {
        const stored = await upload(endpoint, { query: { ...wanted, ...space }, file, onProgress, signal })
        signal.throwIfAborted()
        if (key === 'banner') knowKind(stored)
        if (!placeFile(form, key, stored)) throw new Unusable(FULL)
        if (content !== null) known.set(content, stored.file_id)
        added.set(uploads, [...(added.get(uploads) ?? []), { place: key, fileId: stored.file_id }])
      } catch (error) {
        if (content !== null) known.delete(content)
        throw error
      }
      // The form has it.
      return null
    },
  })
  return {
    uploads,
    rows,
    added: (added.get(uploads) ?? []).length,
    send: (files: readonly (readonly [Dropped, PlaceKey])[]) => {
      if (!rows.some(isActive)) added.delete(uploads)
      uploads.add(
        SLOT,
        files.map(([file, place]) => transferOf(file, place)),
        AT_ONCE,
      )
    },
    undo: () => {
      for (const { id } of uploads.rowsOf(SLOT).filter(isActive)) uploads.remove(SLOT, id)
      for (const { place, fileId } of added.get(uploads) ?? []) PLACE[place].remove(form, fileId)
      added.delete(uploads)
      uploads.clear(SLOT)
    },
    /** Removes the list of what arrived. The files stay. */
    dismiss: () => {
      added.delete(uploads)
      uploads.clear(SLOT)
    },
  }
}
