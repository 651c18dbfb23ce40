import { FileArchive, FileQuestion, FileVideo, Music } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import { useFileSize } from '@/components/upload/file-size'
import { useErrorText } from '@/features/campaigns/form/campaign-form-context'
import type { PlaceKey } from '@/features/campaigns/form/creatives/places'
import type { Dropped } from './candidates.ts'
import { THERE, TWICE, type Sorted } from './sort-files.ts'

type SortRowProps = {
  readonly dropped: Dropped
  readonly sorted: Sorted
  /** The places that the file fits and that are free. */
  readonly places: readonly PlaceKey[]
  readonly onChoose: (place: PlaceKey | null) => void
}

const OUT = 'out'

/** One dropped file: what it is, and where it goes or why it goes nowhere. */
export function SortRow({ dropped: { file, found }, sorted: { place, reason }, places, onChoose }: SortRowProps) {
  const { t } = useTranslation('creatives')
  const sizeText = useFileSize()
  const textOf = useErrorText()
  const { size, banner } = found
  const isDuplicate = reason === THERE || reason === TWICE
  const shown = place === 'banner' ? (banner ?? size) : size
  return (
    <li className="flex flex-wrap items-center gap-3 px-3 py-2">
      <Picture file={file} isPicture={size !== null && file.type.startsWith('image/')} />
      <div className="flex min-w-0 grow basis-48 flex-col gap-0.5 text-[0.8125rem]/4.5">
        <p className="[overflow-wrap:anywhere]">{file.name}</p>
        <p className="text-muted-foreground text-xs tabular-nums">
          {shown === null ? sizeText(file.size) : `${shown.width}x${shown.height} · ${sizeText(file.size)}`}
        </p>
        {reason !== null && <p className="text-warning text-xs">{textOf('custom', reason)}</p>}
      </div>
      {places.length > 0 && !isDuplicate && (
        <NativeSelect
          aria-label={t('sort.place.label', { name: file.name })}
          value={place ?? OUT}
          onChange={({ target }) => onChoose(places.find((key) => key === target.value) ?? null)}
        >
          {places.map((key) => (
            <option key={key} value={key}>
              {t(`sort.place.${key}`)}
            </option>
          ))}
          <option value={OUT}>{t('sort.place.out')}</option>
        </NativeSelect>
      )}
    </li>
  )
}

function Picture({ file, isPicture }: { readonly file: File; readonly isPicture: boolean }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (image.current === null) return undefined
    const url = URL.createObjectURL(file)
    image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <div className="checkered grid size-12 shrink-0 place-items-center overflow-hidden rounded-md">
      {isPicture ? <img ref={image} alt="" className="size-full object-contain" /> : <Icon file={file} />}
    </div>
  )
}

function Icon({ file: { type, name } }: { readonly file: File }) {
  const props = { 'aria-hidden': true, className: 'text-muted-foreground size-5 stroke-[1.5]' } as const
  if (type.startsWith('video/')) return <FileVideo {...props} />
  if (type.startsWith('audio/')) return <Music {...props} />
  return /zip/i.test(`${type} ${name}`) ? <FileArchive {...props} /> : <FileQuestion {...props} />
}
