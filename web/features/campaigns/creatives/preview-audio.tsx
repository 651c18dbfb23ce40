import { AudioLines } from 'lucide-react'

type AudioPreviewProps = { readonly name: string; readonly length: string; readonly label: string }

/** Preview of an audio ad in a player. */
export function AudioPreview({ name, length, label }: AudioPreviewProps) {
  return (
    <div className="flex items-center gap-2.5 p-3">
      <span className="bg-primary-tint text-primary-ink rounded-md grid size-10 shrink-0 place-items-center">
        <AudioLines aria-hidden className="size-5 stroke-[1.5]" />
      </span>
      <span className="min-w-0 grow">
        <span className="text-[0.8125rem]/4.5 block truncate font-semibold">{name}</span>
        <span className="text-muted-foreground text-xs">{label}</span>
      </span>
      <span className="text-muted-foreground text-xs tabular-nums">{length}</span>
    </div>
  )
}
