import type { ReactNode, Ref } from 'react'
import { usePageTitle } from '@/components/page/page-title'
import { BrandMark } from '@/session/brand-mark'
import { cn } from '@/lib/utils'

type AuthCardProps = {
  readonly title: string
  readonly lead?: ReactNode
  readonly wide?: boolean
  /** Shown below the card. */
  readonly below?: ReactNode
  readonly headingRef?: Ref<HTMLHeadingElement>
  readonly children?: ReactNode
}

/** The card of a page for signed-out users, with the white-label's brand above it. */
export function AuthCard({ title, lead, wide = false, below, headingRef, children }: AuthCardProps) {
  usePageTitle(title)
  return (
    <div className={cn('w-full', wide ? 'max-w-[560px]' : 'max-w-[400px]')}>
      <BrandMark className="mb-8 justify-center" />
      <div className="border-border bg-card flex flex-col gap-5 rounded-xl border p-6 shadow-[0_1px_3px_oklch(0.2_0.02_265/0.06)] sm:p-8">
        <div className="flex flex-col gap-1">
          <h1 ref={headingRef} tabIndex={-1} className="text-xl font-semibold tracking-[-0.01em] outline-none">
            {title}
          </h1>
          {lead !== undefined && <p className="text-muted-foreground text-pretty [overflow-wrap:anywhere]">{lead}</p>}
        </div>
        {children}
      </div>
      {below !== undefined && <p className="text-muted-foreground mt-6 flex flex-wrap justify-center gap-x-1.5">{below}</p>}
    </div>
  )
}

/** Looks of a text link in these pages. */
export const LINK = 'text-primary-ink rounded-[3px] font-medium hover:underline'
