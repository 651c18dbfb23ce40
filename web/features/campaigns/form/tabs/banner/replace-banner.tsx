import { useTranslation } from 'react-i18next'
import { ReplaceFile } from '@/components/upload/replace-file'
import { useUploadRows } from '@/components/upload/upload'
import { useKnownKind } from '@/features/campaigns/creatives/banner-kind'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'
import type { StoredFile } from '#contract/files'
import type { BannerValue } from '@/features/campaigns/form/form-schema'
import { BANNER_TYPES } from './banner-check.ts'
import { useBannerSend } from './use-banner-send.tsx'

type ReplaceBannerProps = { readonly rowKey: string; readonly banner: BannerValue; readonly name: string }

/** Puts another file in the place of a banner, whose size and name stay. */
export function ReplaceBanner({ rowKey, banner, name }: ReplaceBannerProps) {
  const { t } = useTranslation('creatives')
  const { getValues, setValue } = useCampaignForm()
  const knowKind = useKnownKind()
  const { width, height, fileId } = banner
  const { sending, dialog } = useBannerSend({ width, height }, true)
  const slot = `replaces ${rowKey}`
  const take = (file: StoredFile) => {
    knowKind(file)
    // Rows move while a file is sent.
    const index = getValues('banners').findIndex((one) => one.fileId === fileId)
    if (index === -1) return
    setValue(`banners.${index}.fileId`, file.file_id, { shouldDirty: true })
    setValue(`banners.${index}.url`, file.file_url, { shouldDirty: true })
  }
  return (
    <>
      <ReplaceFile
        slot={slot}
        rows={useUploadRows(sending.uploads, slot)}
        accept={BANNER_TYPES}
        label={t('anotherFile', { name })}
        onUploaded={take}
        buttonLabel={t('replaceNamed', { name })}
        {...sending}
      />
      {dialog}
    </>
  )
}
