import { cn } from '@/lib/cn'

import type { Tone } from '@/data/campaign-status'

const dots: Record<Tone, string> = { good: 'bg-good-dot', warn: 'bg-warn-dot', bad: 'bg-bad-dot', idle: 'bg-idle-dot' }
const inks: Record<Tone, string> = { good: 'text-good', warn: 'text-warn', bad: 'text-bad', idle: 'text-ink-soft' }

/** The colour only repeats what the words beside it say. */
export function StatusDot({ tone, className }: { readonly tone: Tone; readonly className?: string }) {
  return <span aria-hidden data-slot="status-dot" className={cn('size-2 shrink-0 rounded-full', dots[tone], className)} />
}

export const toneInk = (tone: Tone) => inks[tone]
