import type { ReactNode } from 'react'

/** A part of a tab under its own heading. No landmark: its table is one, of the same name. */
export function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-[15px] leading-6 font-semibold">{title}</h2>
      {children}
    </div>
  )
}
