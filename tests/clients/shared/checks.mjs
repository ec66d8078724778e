// Checks, one line each; a run ends with 1 if one of them did not hold.

let failed = 0;

/** Runs one check and says how it ended. */
export async function check(sentence, run) {
  try {
    await run();
    console.log(`ok      ${sentence}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${sentence}\n        ${error?.stack ?? error}${error?.cause ? `\n        cause: ${error.cause}` : ""}`);
  }
}

/** Ends the run. */
export function conclude() {
  process.exit(failed === 0 ? 0 : 1);
}

/** Says that something must be refused, and that the refusal fits. */
export async function mustFail(run, fits) {
  let outcome;
  try {
    outcome = await run();
  } catch (error) {
    if (fits && !fits(error)) throw new Error("refused, but not for the reason it should be", { cause: error });
    return error;
  }
  throw new Error(`was not refused: ${JSON.stringify(outcome)}`);
}
