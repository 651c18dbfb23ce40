import { useTranslation } from 'react-i18next'
import { operatorOf } from '#domain/bidding/filters'

/** Returns the names of operators in the user's language. */
export function useOperatorName() {
  const { t } = useTranslation('bidding')
  return (operator: string): string => {
    const known = operatorOf(operator)
    return known === null ? operator : t(`operator.${known}`)
  }
}
