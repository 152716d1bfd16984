/**
 * What the demo asks of examples/notes, where no single note answers it. The tests of the panel and of the package ask
 * it too.
 */
export const demoQuestion =
  'Which extension do I dial to claim the guarantee for the batteries that froze in the silent weekend?';
