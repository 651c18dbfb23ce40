import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { whenIdle } from '@/lib/when-idle'

const load = () => import('./confirm-dialog-content.tsx')
const Content = lazy(async () => ({ default: (await load()).ConfirmDialogContent }))

export type ConfirmDialogProps = {
  readonly open: boolean
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly cancel: string
  /** Another way out, at the start of the buttons. */
  readonly aside?: ReactNode
  readonly tone?: 'default' | 'destructive'
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** Sets the focus after closing, for when the previously focused element may be gone. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

/** A confirmation dialog. Its content is preloaded when the page is idle, so that it does not delay the page. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [shown, setShown] = useState(false)
  if (props.open && !shown) setShown(true)
  useEffect(() => whenIdle(() => void load()), [])
  return (
    shown && (
      <Suspense>
        <Content {...props} />
      </Suspense>
    )
  )
}
