import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { formatMoney } from '@/i18n/format'
import { AddFunds } from '@/session/add-funds'
import type { useFundingQuestion } from './use-funding-question.ts'

type FundingDialogProps = { readonly question: ReturnType<typeof useFundingQuestion>['question'] }

/** Warns that the account cannot pay for the campaign to be published. */
export function FundingDialog({ question }: FundingDialogProps) {
  const { t } = useTranslation('form')
  const amounts =
    question === null
      ? {}
      : { balance: formatMoney(question.balance, question.currency), left: formatMoney(question.left, question.currency) }
  return (
    <ConfirmDialog
      open={question !== null}
      title={t('funding.title')}
      text={t(question?.total === true ? 'funding.total' : 'funding.daily', amounts)}
      confirm={t('funding.publish')}
      cancel={t('funding.back')}
      aside={<AddFunds beside size="default" />}
      onConfirm={() => question?.answer(true)}
      onCancel={() => question?.answer(false)}
    />
  )
}
