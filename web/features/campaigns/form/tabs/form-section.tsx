import type { ReactNode } from 'react'

type FormSectionProps = { readonly title: string; readonly lead?: string; readonly children: ReactNode }

export function FormSection({ title, lead, children }: FormSectionProps) {
  return (
    <section className="border-border bg-card rounded-lg border">
      <header className="border-border border-b px-6 py-4">
        <h2 className="text-[15px] leading-5 font-semibold">{title}</h2>
        {lead !== undefined && <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-0.5">{lead}</p>}
      </header>
      <div className="grid grid-cols-2 gap-x-5 gap-y-5 px-6 py-5">{children}</div>
    </section>
  )
}
