import { ImageIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/utils'

/** A phone with a feed. The ad is shown between posts. */
export function PhoneFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="border-border bg-card overflow-hidden rounded-[22px] border-4 shadow-xs">
      <div aria-hidden className="bg-border mx-auto mt-2 h-1 w-14 rounded-full" />
      <Lines className="px-3 pt-4 pb-3" />
      <div className="border-border border-y">{children}</div>
      <Lines className="px-3 py-4" />
    </div>
  )
}

function Lines({ className }: { readonly className: string }) {
  return (
    <div aria-hidden className={cn('flex flex-col gap-1.5', className)}>
      <span className="bg-border/70 h-2 w-full rounded-full" />
      <span className="bg-border/70 h-2 w-4/5 rounded-full" />
    </div>
  )
}

/** A text of the ad, or a placeholder while it is empty. */
export function PreviewText({
  text,
  className,
  bar,
}: {
  readonly text: string
  readonly className?: string
  readonly bar: string
}) {
  if (text === '') return <span aria-hidden className={cn('bg-border my-1 block h-2.5 rounded-full', bar)} />
  return <span className={cn('block [overflow-wrap:anywhere]', className)}>{text}</span>
}

type PreviewPictureProps = { readonly url: string | null; readonly alt: string; readonly className: string }

export function PreviewPicture({ url, alt, className }: PreviewPictureProps) {
  if (url !== null) return <img src={url} alt={alt} className={cn('object-cover', className)} />
  return (
    <span aria-hidden className={cn('bg-muted text-muted-foreground grid place-items-center', className)}>
      <ImageIcon className="size-4 stroke-[1.5] opacity-60" />
    </span>
  )
}
