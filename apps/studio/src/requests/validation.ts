import { ValidationPipe } from '@nestjs/common';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import type { ValidationError } from 'class-validator';
import { Refusal } from '@waymark/service-kit/errors';

/** What every DTO is held to: nothing that it does not name, and every value of its type (ADR 26). */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    // Handed over, as the bundle has no packages to load.
    validatorPackage,
    transformerPackage,
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    forbidUnknownValues: true,
    exceptionFactory: (errors) => new Refusal(400, sentencesOf(errors).join('; ')),
  });

function sentencesOf(errors: readonly ValidationError[], above = ''): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => [
    ...Object.values(constraints).map((sentence) => `${above}${sentence}`),
    ...sentencesOf(children, `${above}${property}.`),
  ]);
}
