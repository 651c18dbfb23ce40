import { lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '@/lib/when-idle'

const load = () => import('./confirm-dialog-content.tsx')
const Content = lazy(async () => ({ default: (await load()).ConfirmDialogContent }))

export type ConfirmDialogProps = {
  readonly open: boolean
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly cancel: string
  readonly tone?: 'default' | 'destructive'
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** Where the focus goes afterwards, when what had it before may not be there any more. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

/** Its content comes once the page has nothing better to do: in time for the question, without delaying what is asked about. */
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
