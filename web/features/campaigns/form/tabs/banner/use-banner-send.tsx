import { lazy, Suspense, useState } from 'react'
import { uploadBanner } from '#contract/files'
import { useCampaignForm, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import type { StoredFile } from '#contract/files'
import { useMediaSend } from '@/features/campaigns/form/creatives/use-media-send'
import type { Size } from '@/features/campaigns/form/creatives/measure'
import { IMAGE_LIMIT_BYTES } from '@/features/campaigns/form/creatives/media-check'
import { contentsOf, digestOf } from '@/features/campaigns/form/creatives/known-contents'
import { Unusable } from '@/features/campaigns/form/creatives/use-upload-reason'
import { bannerFault, planned } from './banner-check.ts'
import { cutPicture, type Cut } from './cut-picture.ts'

const CutDialog = lazy(async () => ({ default: (await import('./cut-dialog.tsx')).CutDialog }))
type Question = { readonly name: string; readonly url: string; readonly size: Size; readonly answer: (cut: Cut | null) => void }

/** Digests of files on their way. */
const contents = new WeakMap<File, string>()

/**
 * Sends banners of a size, and asks which part to show of pictures that fit none. With `only`, pictures of other known sizes are cut
 * too. A file that the campaign has already is refused.
 */
export function useBannerSend(size: Size, only = false) {
  const { getValues } = useCampaignForm()
  // Questions about files that were dropped together are asked one after the other.
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const [question] = questions
  const prepare = async (file: File) => {
    const plan = await planned(file, size)
    const cut = plan !== null && (plan.cut || (only && (plan.size.width !== size.width || plan.size.height !== size.height)))
    if (!cut) return { file, ...(plan === null ? {} : { query: plan.size }) }
    const url = URL.createObjectURL(file)
    const part = await new Promise<Cut | null>((answer) =>
      setQuestions((before) => [...before, { name: file.name, url, size, answer }]),
    )
    URL.revokeObjectURL(url)
    const made = part === null ? null : await cutPicture(file, part, size, IMAGE_LIMIT_BYTES)
    if (made !== null) return { file: made, query: size }
    throw new Unusable(part === null ? `faults:bannerDimensions?width=${size.width}&height=${size.height}` : 'faults:imageBytes')
  }
  const known = contentsOf(useFormBase().uploads)
  const check = async (file: File) => {
    const fault = await bannerFault(file, size)
    if (fault !== null) return fault
    const content = await digestOf(file)
    if (content === null) return null
    const before = known.get(content)
    if (before === null || getValues('banners').some(({ fileId }) => fileId === before)) return 'creatives:banner.duplicate'
    known.set(content, null)
    contents.set(file, content)
    return null
  }
  const sending = useMediaSend({ kind: 'image', endpoint: uploadBanner, query: size, check, prepare })

  const send: typeof sending.send = async (file, ...rest) => {
    const end = (storedAs: StoredFile | null) => {
      const content = contents.get(file)
      if (content === undefined) return
      contents.delete(file)
      if (storedAs === null) known.delete(content)
      else known.set(content, storedAs.file_id)
    }
    try {
      const storedAs = await sending.send(file, ...rest)
      end(storedAs)
      return storedAs
    } catch (error) {
      end(null)
      throw error
    }
  }
  const dialog = question !== undefined && (
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
  )
  return { sending: { ...sending, send }, dialog }
}
