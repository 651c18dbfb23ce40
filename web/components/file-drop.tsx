import { useState, type ReactNode } from 'react'
import { cn } from '../lib/cn.ts'

type FileDropProps = {
  readonly accept: string
  readonly label: string
  readonly disabled: boolean
  readonly onFile: (file: File) => void
  readonly children: ReactNode
}

/** A file input as large as its zone: click, keyboard and dropping are all the input's own. */
export function FileDrop({ accept, label, disabled, onFile, children }: FileDropProps) {
  const [over, setOver] = useState(false)
  return (
    <div
      data-slot="file-drop"
      className={cn(
        'border-edge rounded-card has-focus-visible:outline-accent-ink hover:bg-sunken relative flex flex-col items-center gap-1.5 border border-dashed px-6 py-8 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
        over && 'border-accent-ink bg-accent-tint',
        disabled && 'opacity-60',
      )}
    >
      {children}
      <input
        type="file"
        accept={accept}
        aria-label={label}
        disabled={disabled}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
          // The same file may be chosen again after it was mended.
          event.target.value = ''
        }}
      />
    </div>
  )
}
