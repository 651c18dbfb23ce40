import { cn } from '@/lib/utils'

import type { Tone } from '@/data/campaign-status'

const dots: Record<Tone, string> = {
  good: 'bg-success-dot',
  warn: 'bg-warning-dot',
  bad: 'bg-destructive-dot',
  idle: 'bg-idle-dot',
}
const inks: Record<Tone, string> = {
  good: 'text-success',
  warn: 'text-warning',
  bad: 'text-destructive',
  idle: 'text-muted-foreground',
}

/** A coloured dot. Its colour only repeats the text beside it. */
export function StatusDot({ tone, className }: { readonly tone: Tone; readonly className?: string }) {
  return <span aria-hidden data-slot="status-dot" className={cn('size-2 shrink-0 rounded-full', dots[tone], className)} />
}

export const toneInk = (tone: Tone) => inks[tone]
