import review from '../locales/en/review.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the review before publishing.
addEnglish({ review })
