import { ImageUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadBanner } from '#contract/files'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { Upload, useUploadRows } from '@/components/upload/upload'
import { useMediaSend, type StoredFile } from '@/features/campaigns/form/creatives/use-media-send'
import { IMAGE_LIMIT_BYTES, type Size } from '@/features/campaigns/form/creatives/media-check'
import { Unusable } from '@/features/campaigns/form/creatives/use-upload-reason'
import type { BannerValue } from '@/features/campaigns/form/form-schema'
import { bannerFault, BANNER_TYPES, nameFromFile, planned } from './banner-check.ts'
import { cutPicture, type Cut } from './cut-picture.ts'
import { useKnownKind } from '@/features/campaigns/creatives/banner-kind'

const CutDialog = lazy(async () => ({ default: (await import('./cut-dialog.tsx')).CutDialog }))
type Question = { readonly name: string; readonly url: string; readonly size: Size; readonly answer: (cut: Cut | null) => void }

type BannerDropProps = { readonly size: Size; readonly onUploaded: (banner: BannerValue) => void }

export function BannerDrop({ size, onUploaded }: BannerDropProps) {
  const { t } = useTranslation(['form', 'creatives'])
  const knowKind = useKnownKind()
  const keptFocus = useKeptFocus<HTMLFieldSetElement>()
  // Questions about files that were dropped together are asked one after the other.
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const [question] = questions
  const prepare = async (file: File) => {
    const plan = await planned(file, size)
    if (plan === null || !plan.cut) return { file, ...(plan === null ? {} : { query: plan.size }) }
    const url = URL.createObjectURL(file)
    const cut = await new Promise<Cut | null>((answer) =>
      setQuestions((before) => [...before, { name: file.name, url, size, answer }]),
    )
    URL.revokeObjectURL(url)
    const made = cut === null ? null : await cutPicture(file, cut, size, IMAGE_LIMIT_BYTES)
    if (made !== null) return { file: made, query: size }
    throw new Unusable(cut === null ? `faults:bannerDimensions?width=${size.width}&height=${size.height}` : 'faults:imageBytes')
  }
  const sending = useMediaSend({
    kind: 'image',
    endpoint: uploadBanner,
    query: size,
    check: (file) => bannerFault(file, size),
    prepare,
  })
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
      {question !== undefined && (
        <Suspense>
          <CutDialog
            key={questions.length}
            name={question.name}
            url={question.url}
            size={question.size}
            onCut={(cut) => {
              setQuestions((before) => before.slice(1))
              question.answer(cut)
            }}
          />
        </Suspense>
      )}
    </fieldset>
  )
}
