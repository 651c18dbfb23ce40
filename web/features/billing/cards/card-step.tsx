import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogStep } from '@/components/dialog-frame'

export type CardFormProps = {
  readonly isPending: boolean
  /** Why the card was not added. */
  readonly problem: string | null
  /** Receives the provider's id of the card that was entered. */
  readonly onMethod: (providerMethodId: string) => void
  readonly onClose: () => void
}

type CardStepProps = Omit<CardFormProps, 'onMethod'> & { readonly isReady?: boolean; readonly children: ReactNode }

/** The body and the buttons of a form that adds a card. */
export function CardStep({ isReady = true, isPending, problem, onClose, children }: CardStepProps) {
  const { t } = useTranslation('billing')
  return (
    <DialogStep confirm={t('cards.add')} disabled={!isReady || isPending} error={problem} onCancel={onClose}>
      {children}
    </DialogStep>
  )
}
