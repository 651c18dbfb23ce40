import { ChevronRight } from 'lucide-react'
import { useContext, type HTMLAttributes, type ReactNode, type Ref } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { cn } from '@/lib/utils'
import { usePageTitle } from './page-title.ts'
import { TitleBarContext } from './title-bar.ts'

type PageProps = Omit<HTMLAttributes<HTMLDivElement>, 'title'> & {
  readonly title: string
  /** Document title when it differs from the heading. */
  readonly documentTitle?: string
  /** Short text beside the heading, such as a count or a status. */
  readonly description?: ReactNode
  /** Links to the pages above this one, outermost first. The heading becomes the last entry. */
  readonly breadcrumb?: readonly ReactNode[]
  readonly actions?: ReactNode
  readonly tabs?: ReactNode
  /** `full`: the body fills the remaining height of the window and scrolls by itself. */
  readonly layout?: 'flow' | 'full'
  /** Replaces the body when its data could not be loaded. */
  readonly failed?: { readonly title: string; readonly error: Error; readonly onRetry: () => void } | null
  readonly ref?: Ref<HTMLDivElement>
}

/**
 * The frame of a page inside the signed-in frame: heading and breadcrumb in the frame's title bar, actions, tabs and body. Sets the document's title. The heading
 * takes the focus on arrival (`data-arrival`) and when a focused row goes away (`data-heading`).
 */
export function Page({
  title,
  documentTitle = title,
  description,
  breadcrumb,
  actions,
  tabs,
  layout = 'flow',
  failed = null,
  className,
  children,
  ...props
}: PageProps) {
  usePageTitle(documentTitle)
  const bar = useContext(TitleBarContext)
  const full = layout === 'full'
  const heading = (
    <>
      {breadcrumb === undefined ? (
        <Heading title={title} />
      ) : (
        <Breadcrumb crumbs={breadcrumb}>
          <Heading title={title} current />
        </Breadcrumb>
      )}
      {description !== undefined && <div className="text-muted-foreground tabular-nums">{description}</div>}
      {actions !== undefined && <div className="ml-auto flex flex-wrap gap-2">{actions}</div>}
    </>
  )
  return (
    <div
      {...props}
      className={cn('flex flex-col', full ? 'lg:h-[calc(100dvh-var(--title-bar,0px))]' : 'page-padding gap-4', className)}
    >
      {bar === null ? (
        <header className={cn('flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2', full && 'px-4 py-3 lg:px-8 lg:py-4')}>
          {heading}
        </header>
      ) : (
        createPortal(heading, bar)
      )}
      {tabs}
      {failed === null ? children : <LoadError {...failed} />}
    </div>
  )
}

const Heading = ({ title, current = false }: { readonly title: string; readonly current?: boolean }) => (
  <h1
    data-heading
    data-arrival
    tabIndex={-1}
    aria-current={current ? 'page' : undefined}
    className={cn('font-semibold outline-none', !current && 'text-xl tracking-[-0.01em]')}
  >
    {title}
  </h1>
)

function Breadcrumb({ crumbs, children }: { readonly crumbs: readonly ReactNode[]; readonly children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('breadcrumb')} className="min-w-0">
      <ol className="flex flex-wrap items-center gap-1.5 [&_a]:text-muted-foreground [&_a]:hover:text-foreground [&_a]:block [&_a]:rounded-[3px] [&_a]:py-1">
        {crumbs.map((crumb, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the path to a page does not change its order
          <li key={index} className="flex min-w-0 items-center gap-1.5 [overflow-wrap:anywhere]">
            {crumb}
            <ChevronRight aria-hidden className="text-muted-foreground size-4 shrink-0" />
          </li>
        ))}
        <li className="min-w-0 [overflow-wrap:anywhere]">{children}</li>
      </ol>
    </nav>
  )
}
