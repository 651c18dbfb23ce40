import { RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import type { UploadProps } from './upload.tsx'
import { UploadLine } from './upload-line.tsx'

type ReplaceFileProps<Stored> = Pick<UploadProps<Stored>, 'uploads' | 'slot' | 'rows' | 'accept' | 'send' | 'explain'> & {
  /** Attributes of the file input, which only its button opens. */
  readonly label: string
  readonly onUploaded: (file: Stored) => void
  readonly buttonLabel: string
  /** On the button; an icon alone without it. */
  readonly text?: string
}

/** A button that puts another file in the place of the one that is there, which stays until the new one has arrived. */
export function ReplaceFile<Stored>(props: ReplaceFileProps<Stored>) {
  const { uploads, slot, rows, accept, send, explain, label, buttonLabel, text, onUploaded } = props
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => uploads.receivedBy(slot, onUploaded), [uploads, slot, onUploaded])
  return (
    <>
      <Button
        {...(text === undefined ? ({ variant: 'ghost', size: 'icon' } as const) : ({ variant: 'outline', size: 'sm' } as const))}
        aria-label={buttonLabel}
        onClick={() => input.current?.click()}
      >
        <RefreshCw aria-hidden />
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept.join(',')}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file !== undefined) uploads.add(slot, [{ file, explain, send: send.bind(null, file) }], 1)
          // Lets the user choose the same file again after fixing it.
          event.target.value = ''
        }}
      />
      {rows
        .filter(({ state }) => state !== 'done')
        .map((row) => (
          <div key={row.id} role={row.state === 'refused' ? 'alert' : undefined} className="basis-full">
            <UploadLine row={row} onRemove={() => uploads.remove(slot, row.id)} onRetry={() => uploads.retry(slot, row.id)} />
          </div>
        ))}
    </>
  )
}
