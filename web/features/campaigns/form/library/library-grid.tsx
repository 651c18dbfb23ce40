import { Check, FileVideo, Music } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFileSize } from '@/components/upload/file-size'
import type { LibraryFile } from '@/data/library-queries'
import { BannerPicture } from '@/features/campaigns/creatives/banner-picture'
import { lengthText } from '@/features/campaigns/creatives/media-facts'
import { usePoster } from '@/features/campaigns/creatives/video-poster'
import { cn } from '@/lib/utils'

type LibraryGridProps = {
  readonly files: readonly LibraryFile[]
  readonly multiple: boolean
  readonly picked: ReadonlySet<string>
  /** Files that the place has already. */
  readonly there: ReadonlySet<string | null>
  readonly onToggle: (file: LibraryFile) => void
}

const BOX = { width: 144, height: 96 }
const MOVES: Readonly<Record<string, (columns: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
  Home: () => -Infinity,
  End: () => Infinity,
}

/** Number of tiles in the first row, as they are laid out. */
function columnsOf(list: HTMLElement): number {
  const tops = [...list.children].map((tile) => (tile instanceof HTMLElement ? tile.offsetTop : 0))
  return Math.max(1, tops.filter((top) => top === tops[0]).length)
}

/** Tiles of files. Arrows move, Space and Enter choose. */
export function LibraryGrid({ files, multiple, picked, there, onToggle }: LibraryGridProps) {
  const { t } = useTranslation('creatives')
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const current = Math.min(active, files.length - 1)
  const move = (event: KeyboardEvent, at: number) => {
    const file = files[at]
    if ((event.key === ' ' || event.key === 'Enter') && file !== undefined) {
      event.preventDefault()
      if (!there.has(file.file_id)) onToggle(file)
      return
    }
    const step = MOVES[event.key]
    if (step === undefined || list.current === null) return
    event.preventDefault()
    const next = Math.max(0, Math.min(files.length - 1, at + step(columnsOf(list.current))))
    setActive(next)
    const tile = list.current.children[next]
    if (tile instanceof HTMLElement) tile.focus()
  }
  return (
    <div
      ref={list}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list holds no pictures
      role="listbox"
      aria-multiselectable={multiple}
      aria-label={t('library.list')}
      className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-2"
    >
      {files.map((file, index) => {
        const isThere = there.has(file.file_id)
        const isPicked = picked.has(file.file_id)
        return (
          <div
            key={file.file_id}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native option holds no pictures
            role="option"
            aria-selected={isPicked}
            aria-disabled={isThere}
            tabIndex={index === current ? 0 : -1}
            onFocus={() => setActive(index)}
            onClick={() => {
              if (!isThere) onToggle(file)
            }}
            onKeyDown={(event) => move(event, index)}
            className={cn(
              'border-border relative flex cursor-pointer flex-col items-center gap-1.5 rounded-lg border p-2 text-xs transition-colors',
              isPicked ? 'border-primary-ink bg-primary-tint' : 'hover:bg-muted',
              isThere && 'cursor-not-allowed opacity-60',
            )}
          >
            <Preview file={file} />
            <Facts file={file} isThere={isThere} />
            {isPicked && (
              <Check
                aria-hidden
                className="bg-primary text-primary-foreground absolute top-1 right-1 size-4 rounded-full p-0.5"
              />
            )}
          </div>
        )
      })}
    </div>
  )
}

function Preview({ file: { file_id, file_url, kind, width, height, name } }: { readonly file: LibraryFile }) {
  const Icon = kind === 'video' ? FileVideo : Music
  const poster = usePoster(kind === 'video' ? file_url : null)
  return (
    <div aria-hidden className="grid place-items-center" style={BOX}>
      {kind === 'image' || kind === 'html' ? (
        <BannerPicture
          fileId={file_id}
          url={file_url}
          size={{ width: width ?? BOX.width, height: height ?? BOX.height }}
          html={kind === 'html'}
          name={name}
          box={BOX}
        />
      ) : poster !== undefined ? (
        <img src={poster} alt="" className="rounded-md size-full object-contain" />
      ) : (
        <Icon className="text-muted-foreground size-7 stroke-[1.5]" />
      )}
    </div>
  )
}

function Facts({ file, isThere }: { readonly file: LibraryFile; readonly isThere: boolean }) {
  const { t } = useTranslation('creatives')
  const sizeText = useFileSize()
  const { name, width, height, duration, size, campaigns, reviewed } = file
  const pixels = width === null || height === null ? null : `${width}x${height}`
  const facts = [pixels, duration === null ? null : lengthText(duration), sizeText(size)].filter(Boolean).join(' · ')
  return (
    <div className="flex w-full min-w-0 flex-col gap-0.5 text-left">
      <span className="[overflow-wrap:anywhere]">{name}</span> <span className="text-muted-foreground tabular-nums">{facts}</span>{' '}
      <span className="text-muted-foreground">{t('library.campaigns', { count: campaigns })}</span>{' '}
      {reviewed && <span className="text-success">{t('library.reviewed')}</span>} {isThere && <span>{t('library.there')}</span>}
    </div>
  )
}
