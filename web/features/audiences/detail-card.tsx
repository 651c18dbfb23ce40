import { useId, type ReactNode } from 'react'
import { cn } from '@/lib/utils'

type DetailCardProps = { readonly title: string; readonly flush?: boolean; readonly children: ReactNode }

/** A titled section of the details; `flush` for tables, which reach its edges. */
export function DetailCard({ title, flush = false, children }: DetailCardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-border bg-card min-w-0 rounded-lg border">
      <h2 id={id} className={cn('px-5 pt-4 text-[15px]/6 font-semibold', flush && 'pb-3')}>
        {title}
      </h2>
      <div className={cn(flush ? 'overflow-x-auto' : 'px-5 pt-2 pb-5')}>{children}</div>
    </section>
  )
}

export const CELL = 'h-10 px-2 first:pl-5 last:pr-5'
export const HEAD = `${CELL} text-muted-foreground border-border border-b text-left text-xs font-medium whitespace-nowrap`
