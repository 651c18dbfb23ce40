import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '@/lib/toast'
import { cn } from '@/lib/utils'
import { droppedFiles, hasFolder } from './dropped-files.ts'
import '@/i18n/texts/controls'

/** Files that a message names. */
const MOST_NAMED = 3

type FileDropProps = {
  readonly accept: string
  readonly label: string
  readonly disabled?: boolean
  /** Replaces the content while a file is uploading. */
  readonly busy?: ReactNode
  /** Whether several files may be chosen at once. */
  readonly multiple: boolean
  /** One line, beside other zones of the page. */
  readonly compact?: boolean
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
}

/** A file input that fills its zone. Click, keyboard and drop are native. */
export function FileDrop(props: FileDropProps) {
  const { accept, label, disabled = false, busy = null, multiple, compact = false, onFiles, children } = props
  const [over, setOver] = useState(false)
  const { t } = useTranslation('controls')
  const idle = busy === null

  async function takeDropped(dropped: DataTransfer) {
    const { files, unread } = await droppedFiles(dropped)
    if (unread.length > 0)
      toast.error(t('upload.unread', { count: unread.length }), { description: unread.slice(0, MOST_NAMED).join(', ') })
    else if (files.length === 0) toast.error(t('upload.emptyFolder'))
    if (files.length > 0) onFiles(files)
  }

  return (
    <div
      data-slot="file-drop"
      className={cn(
        'border-input rounded-lg has-focus-visible:outline-primary-ink relative flex flex-col items-center border border-dashed px-6 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
        compact ? 'py-4' : 'py-8',
        idle && !disabled && 'hover:bg-muted',
        over && 'border-primary-ink bg-primary-tint',
        disabled && 'opacity-60',
      )}
    >
      {/* Keeps its space while other content replaces it. */}
      <div
        className={cn(
          'flex items-center gap-1.5',
          compact ? 'flex-wrap justify-center gap-x-3' : 'flex-col',
          !idle && 'invisible',
        )}
      >
        {children}
      </div>
      {idle ? (
        <input
          type="file"
          accept={accept}
          multiple={multiple}
          aria-label={label}
          disabled={disabled}
          className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            setOver(false)
            if (multiple && hasFolder(event.dataTransfer)) {
              event.preventDefault()
              void takeDropped(event.dataTransfer)
              return
            }
            const files = [...event.dataTransfer.files]
            // The browser would silently take one of several files, or none.
            if (multiple || files.length < 2) return
            event.preventDefault()
            onFiles(files)
          }}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            if (files.length > 0) onFiles(files)
            // Lets the user choose the same file again after fixing it.
            event.target.value = ''
          }}
        />
      ) : (
        <div className="absolute inset-0 grid items-center px-4">{busy}</div>
      )}
    </div>
  )
}
