import { ImageUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { Upload, useUploadRows } from '@/components/upload/upload'
import { useKnownKind } from '@/features/campaigns/creatives/banner-kind'
import type { Size } from '@/features/campaigns/form/creatives/measure'
import type { StoredFile } from '#contract/files'
import { FromLibrary } from '@/features/campaigns/form/library/from-library'
import type { BannerValue } from '@/features/campaigns/form/form-schema'
import { BANNER_TYPES, nameFromFile } from './banner-check.ts'
import { useBannerSend } from './use-banner-send.tsx'

type BannerDropProps = { readonly size: Size; readonly onUploaded: (banner: BannerValue) => void }

export function BannerDrop({ size, onUploaded }: BannerDropProps) {
  const { t } = useTranslation(['form', 'creatives'])
  const knowKind = useKnownKind()
  const keptFocus = useKeptFocus<HTMLFieldSetElement>()
  const { sending, dialog } = useBannerSend(size)
  const take = (file: StoredFile) => {
    knowKind(file)
    // The selected size may have changed during the upload.
    const { width, height } = { width: file.width ?? size.width, height: file.height ?? size.height }
    onUploaded({ id: null, width, height, fileId: file.file_id, url: file.file_url, creativeName: nameFromFile(file.name) })
  }
  const rows = useUploadRows(sending.uploads, 'banners')
  return (
    <fieldset {...keptFocus} tabIndex={-1} aria-label={t('creatives:banner.add')} className="flex flex-col gap-2">
      <Upload
        slot="banners"
        rows={rows}
        label={t('banners.choose')}
        accept={BANNER_TYPES}
        multiple
        onUploaded={take}
        {...sending}
      >
        <ImageUp aria-hidden className="text-muted-foreground size-6 stroke-[1.5]" />
        <span className="font-medium">{t('banners.drop')}</span>
        <span className="text-muted-foreground text-xs max-w-[52ch] text-balance">{t('banners.limits', size)}</span>
        <span className="text-muted-foreground text-xs max-w-[60ch] text-balance">{t('creatives:banner.html')}</span>
      </Upload>
      <FromLibrary place="banner" />
      {dialog}
    </fieldset>
  )
}
