import type { ReactNode } from 'react'

type EmptyStateProps = {
  readonly image?: ReactNode
  /** `h1` when this is the only content of the page, which then has no other heading. */
  readonly titleAs?: 'h1' | 'p'
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
}

export function EmptyState({ image, titleAs: Title = 'p', title, text, children }: EmptyStateProps) {
  return (
    <div data-slot="empty-state" className="flex flex-col items-center gap-1 px-6 py-16 text-center">
      {image}
      <Title className="mt-3 text-[15px] leading-6 font-semibold">{title}</Title>
      {text !== undefined && <p className="text-muted-foreground max-w-96 text-pretty">{text}</p>}
      {children !== undefined && <div className="mt-4 flex gap-2">{children}</div>}
    </div>
  )
}
