import type { ReactNode } from 'react'

type SectionProps = { readonly title: string; readonly text?: string; readonly children: ReactNode }

/** A group of fields of the form. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <section className="bg-card border-border flex flex-col gap-5 rounded-xl border p-5">
      <div>
        <h2 className="text-[15px]/6 font-semibold">{title}</h2>
        {text !== undefined && <p className="text-muted-foreground text-[0.8125rem]/4.5 text-pretty">{text}</p>}
      </div>
      {children}
    </section>
  )
}
