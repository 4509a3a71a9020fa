// The least that is a Nest service on Fastify: nothing in it.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

class Empty {}
Module({})(Empty);

const app = await NestFactory.create(Empty, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
console.log(JSON.stringify({ url: await app.getUrl() }));
