import { AudioLines } from 'lucide-react'

type AudioPreviewProps = { readonly name: string; readonly length: string; readonly label: string }

/** What a listener sees of an audio ad. */
export function AudioPreview({ name, length, label }: AudioPreviewProps) {
  return (
    <div className="flex items-center gap-2.5 p-3">
      <span className="bg-accent-tint text-accent-ink rounded-control grid size-10 shrink-0 place-items-center">
        <AudioLines aria-hidden className="size-5 stroke-[1.5]" />
      </span>
      <span className="min-w-0 grow">
        <span className="text-table block truncate font-semibold">{name}</span>
        <span className="text-ink-soft text-meta">{label}</span>
      </span>
      <span className="text-ink-soft text-meta tabular-nums">{length}</span>
    </div>
  )
}
